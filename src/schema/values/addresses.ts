/** IP addresses and blocks, as strict and as lenient as the reference is. */
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface Block {
  readonly address: Address;
  readonly length: number;
  /** The text of the network itself: `10.1.2.3/8` is `10.0.0.0/8`. */
  readonly text: string;
}

const DOTTED = /^\d{1,8}\.\d{1,8}\.\d{1,8}\.\d{1,8}$/;

/** Parses an address; undefined if invalid. An IPv4 address in IPv6 form is IPv4. Zones are not accepted. */
export function parseAddress(text: string): Address | undefined {
  if (text.includes(':')) return parseIPv6(text);
  if (!DOTTED.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? new ipaddr.IPv4(bytes) : undefined;
}

function parseIPv6(text: string): Address | undefined {
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

export const isIPv6 = (address: Address): boolean => address.kind() === 'ipv6';

/** The block that a text such as `10.0.0.0/8` says; host bits may be set. */
export function parseBlock(text: string): Block | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const [address, digits] = [parseAddress(text.slice(0, slash)), text.slice(slash + 1)];
  if (!address || !/^\d{1,3}$/.test(digits)) return undefined;
  const [length, bits] = [Number(digits), isIPv6(address) ? 128 : 32];
  return length > bits ? undefined : { address, length, text: `${formatAddress(masked(address, length))}/${length}` };
}

function masked(address: Address, length: number): Address {
  const bytes = address.toByteArray().map((byte, i) => byte & (0xff << Math.max(0, 8 - Math.max(0, length - 8 * i))));
  return ipaddr.fromByteArray(bytes);
}

/** Whether the block holds the address; blocks and addresses of different families never match. */
export function contains(block: Block, address: Address): boolean {
  if (block.address.kind() !== address.kind()) return false;
  return block.address instanceof ipaddr.IPv4
    ? block.address.match(address as ipaddr.IPv4, block.length)
    : block.address.match(address as ipaddr.IPv6, block.length);
}

/** How many addresses before this one the block has, or undefined where it isn't in the block. */
export function offsetIn(block: Block, address: Address): bigint | undefined {
  if (!contains(block, address)) return undefined;
  return toNumber(address) - toNumber(masked(block.address, block.length));
}

/** The address at an offset in the block. */
export function addressIn(block: Block, offset: bigint): Address {
  const first = masked(block.address, block.length);
  const number = toNumber(first) + offset;
  const size = first.toByteArray().length;
  return ipaddr.fromByteArray(
    Array.from({ length: size }, (_, i) => Number((number >> BigInt(8 * (size - 1 - i))) & 255n)),
  );
}

const toNumber = (address: Address): bigint => address.toByteArray().reduce((n, byte) => (n << 8n) + BigInt(byte), 0n);

/** The canonical text of an address. */
export function formatAddress(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

/** The text of an address of four or sixteen bytes, as certificates hold them; empty for other bytes. */
export const addressText = (bytes: Uint8Array): string =>
  bytes.length === 4 || bytes.length === 16 ? formatAddress(ipaddr.fromByteArray([...bytes])) : '';

/** The error for an invalid address. */
export const checkAddress = (text: string): readonly string[] =>
  parseAddress(text) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
