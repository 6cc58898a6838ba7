import { expect, test } from 'vitest';
import { AddressPool, PortPool } from '../../src/apiserver/registry/allocation.ts';
import { seededRandom } from '../../src/std/index.ts';

const MINUTE = 60_000;
const ports = (): PortPool => new PortPool('30000-30003', seededRandom('ports'));

test('allocations of another server are not used, and stay allocated', () => {
  const pool = ports();
  pool.adopt(Uint8Array.of(0b0101), 0);
  expect(() => pool.take(30000)).toThrow('provided port is already allocated');
  expect([pool.next(), pool.next()].sort()).toEqual([30001, 30003]);
  expect(() => pool.next()).toThrow('range is full');
  expect(pool.state.bits).toEqual(Uint8Array.of(0b1111));
});

test('released allocations of another server are free again', () => {
  const pool = ports();
  pool.adopt(Uint8Array.of(0b0101), 0);
  pool.adopt(Uint8Array.of(0b0100), MINUTE);
  expect(pool.take(30000)).toBe(30000);
  expect(() => pool.take(30002)).toThrow('provided port is already allocated');
});

test('allocations with a service stay until the service is deleted', () => {
  const pool = ports();
  pool.adopt(Uint8Array.of(0b0001), 0);
  pool.mark(30000);
  pool.adopt(new Uint8Array(), MINUTE);
  expect(pool.state.bits).toEqual(Uint8Array.of(0b0001));
  pool.release(30000);
  expect(pool.state.bits).toEqual(new Uint8Array());
});

test('allocations without a service are free after ten minutes, because their server has failed', () => {
  const pool = ports();
  pool.adopt(Uint8Array.of(0b0001), 0);
  pool.adopt(Uint8Array.of(0b0001), 9 * MINUTE);
  expect(() => pool.take(30000)).toThrow('provided port is already allocated');
  pool.adopt(Uint8Array.of(0b0001), 10 * MINUTE);
  expect(pool.take(30000)).toBe(30000);
});

test('addresses have the reference’s format: the first is the lowest bit of the last byte', () => {
  const pool = new AddressPool('10.96.0.0/12', seededRandom('addresses'));
  pool.take('10.96.0.1');
  expect(pool.state).toEqual({ range: '10.96.0.0/12', bits: Uint8Array.of(1) });
  pool.take('10.96.0.10');
  expect(pool.state.bits).toEqual(Uint8Array.of(2, 1));
  const other = new AddressPool('10.96.0.0/12', seededRandom('addresses'));
  other.adopt(pool.state.bits, 0);
  expect(() => other.take('10.96.0.10')).toThrow('provided IP is already allocated');
});
