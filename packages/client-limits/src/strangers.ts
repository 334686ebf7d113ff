/**
 * Decides which addresses a stranger's document may name, so that it cannot make a client probe its network
 * (docs/decisions/189).
 */
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Hosts of such a network may share it with their node. */
const PRIVATE = new Set(['private', 'carrierGradeNat', 'uniqueLocal']);
/**
 * IANA's special-purpose registries, and Azure's services for virtual machines. The Python client has the
 * same list.
 */
const SPECIAL =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/3 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`
    .split(/\s+/)
    .map((range) => ipaddr.parseCIDR(range));
/** Metadata services of clouds (Alibaba, AWS, Google), refused even in the node's network. */
const METADATA = ['100.100.100.200/32', 'fd00:ec2::/32', 'fd20:ce::/64'].map((range) =>
  ipaddr.parseCIDR(range),
);
/** An IPv4 address as IPv6-only networks write it (RFC 6052). */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

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
  return !isIn(address, SPECIAL);
}

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const isIn = (address: Address, ranges: readonly Range[]): boolean =>
  ranges.some((range) => address.kind() === range[0].kind() && address.match(range));

/** True if both are private and in one /24 or /64. */
function isNear(address: Address, node: Address | null): boolean {
  if (node?.kind() !== address.kind() || isIn(address, METADATA)) return false;
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
