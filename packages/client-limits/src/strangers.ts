/**
 * Decides which addresses a stranger may name: a client that asks whatever a stranger's document names would probe its own machine and
 * network for that stranger (docs/decisions/189).
 */
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Ranges of networks that are somebody's own; hosts of one of them may share a network with their node. */
const PRIVATE = new Set(['private', 'carrierGradeNat', 'uniqueLocal']);
/** An IPv4 address as IPv6-only networks write it (RFC 6052). */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** True if anyone on the Internet can ask the address: not a private, local, reserved or multicast one. */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  return parsed !== null && isPublic(parsed);
}

/**
 * True if a stranger may name the address: a public one, or one in the private network through which the client reaches its node.
 * @param address an IP address, without brackets
 * @param near the addresses at which the client reaches its node
 */
export function mayStrangerName(address: string, near: readonly string[]): boolean {
  const parsed = parse(address);
  if (parsed === null) return false;
  return isPublic(parsed) || near.some((each) => isNear(parsed, parse(each)));
}

function isPublic(address: Address): boolean {
  // All public IPv6 addresses are in 2000::/3.
  if ('parts' in address && ((address.parts[0] ?? 0) & 0xe000) !== 0x2000) return false;
  return address.range() === 'unicast';
}

/** True if both are private, of one /24 or one /64. */
function isNear(address: Address, node: Address | null): boolean {
  if (node?.kind() !== address.kind()) return false;
  if (!PRIVATE.has(address.range()) || !PRIVATE.has(node.range())) return false;
  const bytes = address.kind() === 'ipv4' ? 3 : 8;
  const prefix = (of: Address): string => of.toByteArray().slice(0, bytes).join();
  return prefix(address) === prefix(node);
}

/** The address, an IPv4 address if an IPv6 address stands for one; null if it is none. */
function parse(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (!('parts' in address) || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}
