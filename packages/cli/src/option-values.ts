import { ACTOR_ID_PATTERN, amountHint, CHAIN_ID_PATTERN, parseAmount } from '@netd/protocol';
import { hasPassword } from '@netd/protocol/printable-url';
import { InvalidArgumentError, Option } from 'commander';

export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < minimum || Number(text) > maximum) {
      throw new InvalidArgumentError(`A whole number from ${minimum} to ${maximum} is needed.`);
    }
    return Number(text);
  };
}

/** Returns the amount in unet. A number without a unit is unet. */
export function amount(text: string): number {
  const unet = parseAmount(text, 'unet');
  if (unet === null) throw new InvalidArgumentError(amountHint('unet'));
  return unet;
}

export function positiveAmount(text: string): number {
  const unet = amount(text);
  if (unet === 0) throw new InvalidArgumentError('An amount above 0 is needed.');
  return unet;
}

export function httpUrl(text: string): string {
  const withScheme = `http://${text}`;
  if (!text.includes('://') && URL.canParse(withScheme)) {
    throw new InvalidArgumentError(`The scheme is missing: write ${withScheme}.`);
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('An http or https address without query or fragment is needed.');
  }
  if (hasPassword(text)) {
    throw new InvalidArgumentError(
      'An address without a name and password is needed, because others may read it: let a proxy add them.',
    );
  }
  return text;
}

export const httpUrls = (text: string): string[] =>
  text.split(',').map((each) => httpUrl(each.trim()));

/** Returns a store's origin. Paths are refused, because blobs are found by origin. */
export function httpOrigin(text: string): string {
  const url = httpUrl(text);
  if (new URL(url).pathname !== '/') {
    throw new InvalidArgumentError(
      'An address without a path is needed. Give the store a host name or a port of its own.',
    );
  }
  return url;
}

/** Parses a contact for security.txt (RFC 9116 section 2.5.3). An e-mail address becomes a URI. */
export function contactUri(text: string): string {
  const uri = /^[^\s:@]+@[^\s:@]+$/.test(text) ? `mailto:${text}` : text;
  if (
    !/^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d.()-]+|https:\/\/[^\s]+)$/.test(uri) ||
    !URL.canParse(uri)
  ) {
    throw new InvalidArgumentError(
      'A mailto:, tel: or https: address is needed, as mailto:security@example.org.',
    );
  }
  return uri;
}

export function chainId(text: string): string {
  if (!new RegExp(CHAIN_ID_PATTERN).test(text)) {
    throw new InvalidArgumentError(
      '2 to 50 letters, digits, dots, underscores or hyphens are needed, the first a letter or digit.',
    );
  }
  return text;
}

export function actorId(text: string): string {
  if (new RegExp(ACTOR_ID_PATTERN).test(text)) return text;
  throw new InvalidArgumentError('An actor id is needed: lower-case letters, digits and hyphens.');
}

export const foundersIdOption = (): Option =>
  new Option('--chain-id <id>', 'the id that netd genesis id printed for all founders')
    .argParser(chainId)
    .makeOptionMandatory();

export const uniqueOption = (): Option =>
  new Option('--unique', 'add a random suffix to --chain-id, which no other chain has then');

export function hash(text: string): string {
  if (!/^[a-f0-9]{64}$/.test(text)) {
    throw new InvalidArgumentError('64 lowercase hex digits are needed.');
  }
  return text;
}

export function countryCode(text: string): string {
  if (!/^[A-Z]{2}$/.test(text)) {
    throw new InvalidArgumentError('Two capital letters (ISO 3166-1) are needed.');
  }
  return text;
}

export function origins(text: string): string[] {
  return text.split(',').map((word) => {
    const { origin, href } = new URL(httpUrl(word.trim()));
    if (href !== `${origin}/`) throw new InvalidArgumentError('An origin has no path.');
    return origin;
  });
}
