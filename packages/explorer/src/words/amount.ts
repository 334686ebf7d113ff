/** Formats amounts. The chain counts in unet, and a million unet are one NET. */
import { DEFAULT_NAME_DEPOSIT, type NamesPolicy } from '@netd/protocol';

const UNET_PER_NET = 1_000_000;

const SHORT = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'k'],
] as const;

/** Returns an amount such as `1,234.5`, computed with integers so that it is exact. */
export function exactNet(unet: number): string {
  return decimal(unet, 6);
}

export function decimal(units: number, decimals: number): string {
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${units < 0 ? '−' : ''}${grouped}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Returns an amount such as `10.0M`; below ten thousand with up to two decimals. */
export function shortNet(unet: number): string {
  const net = unet / UNET_PER_NET;
  for (const [unit, name] of SHORT) {
    if (Math.abs(net) < unit) continue;
    const scale = name === 'k' ? 1e3 : unit;
    const scaled = net / scale;
    return `${scaled.toFixed(scaled < 100 ? 1 : 0).replace(/\.0$/, '')}${name}`;
  }
  if (net !== 0 && Math.abs(net) < 0.01) return net > 0 ? '<0.01' : '>−0.01';
  return decimal(Math.round(net * 100), 2);
}

/** Formats amounts that are shown together. They are short unless different amounts would look equal. */
export function netApart(unet: readonly number[]): (unet: number) => string {
  const differ = new Set(unet).size;
  return new Set(unet.map(shortNet)).size < differ ? exactNet : shortNet;
}

export function count(number: number): string {
  return decimal(number, 0);
}

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Returns a percentage with one digit. A non-zero part is never shown as zero. */
export function share(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return '<0.1 %';
  return `${percent >= 99.95 && part < whole ? '99.9' : percent.toFixed(1).replace(/\.0$/, '')} %`;
}

export function namePrice({
  price,
  deposit = DEFAULT_NAME_DEPOSIT,
  workBits,
}: NamesPolicy): string {
  if (price === 'free') return 'nothing';
  if (price === 'work') return `a proof of work: about ${count(2 ** workBits)} hashes`;
  return `a deposit of ${exactNet(deposit)} NET, which a sponsor locks and gets back once the agent has earned as much`;
}
