/**
 * Decides which addresses a stranger may name. Otherwise a stranger's document could make a client probe its
 * own machine and network (docs/decisions/189).
 */
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Hosts of such a network may share it with their node. */
const PRIVATE = new Set(['private', 'carrierGradeNat', 'uniqueLocal']);
/** IPv4 addresses in IPv6-only networks (RFC 6052). */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Returns false for private, local, reserved and multicast addresses. */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  return parsed !== null && isPublic(parsed);
}

/**
 * Accepts public addresses, and those in the private network of the client's node.
 * @param address an IP address, without brackets
 * @param near addresses at which the client reaches its node
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

/** Returns true if both are private and in one /24 or /64. */
function isNear(address: Address, node: Address | null): boolean {
  if (node?.kind() !== address.kind()) return false;
  if (!PRIVATE.has(address.range()) || !PRIVATE.has(node.range())) return false;
  const bytes = address.kind() === 'ipv4' ? 3 : 8;
  const prefix = (of: Address): string => of.toByteArray().slice(0, bytes).join();
  return prefix(address) === prefix(node);
}

/** Unwraps IPv4 inside IPv6; null if the text is no address. */
function parse(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (!('parts' in address) || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}
