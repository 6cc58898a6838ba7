/** Service addresses: from one range, or from one of each IP family in a dual-stack cluster. */
import { field, isIPv6, parseAddress, type FieldError } from '../../schema/index.ts';
import type { Random } from '../../std/index.ts';
import { AddressPool } from './allocation.ts';

/** The fields with a service's addresses. */
export interface AddressedSpec {
  type?: string;
  clusterIP?: string;
  clusterIPs?: string[];
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  selector?: object;
}

export const wantsAddress = (spec: AddressedSpec): boolean => spec.type !== 'ExternalName' && spec.clusterIP !== 'None';

/** The addresses of a service; older stored services have only the older field. */
export function heldAddresses(spec: AddressedSpec): readonly string[] {
  if (!wantsAddress(spec)) return [];
  const { clusterIP = '', clusterIPs = [clusterIP] } = spec;
  return clusterIPs.filter(Boolean);
}

const familyOf = (text: string): string => {
  const address = parseAddress(text);
  return address && isIPv6(address) ? 'IPv6' : 'IPv4';
};

/** The address pools by IP family; the first is the default. */
export class ServiceAddresses {
  readonly #pools: ReadonlyMap<string, AddressPool>;

  constructor(ranges: string, random: Random) {
    const pools = ranges.split(',').map((range) => new AddressPool(range.trim(), random));
    this.#pools = new Map(pools.map((pool) => [pool.family, pool]));
  }

  get families(): readonly string[] {
    return [...this.#pools.keys()];
  }

  pool(family: string): AddressPool | undefined {
    return this.#pools.get(family);
  }

  /** The pools in the order of their ranges. */
  get pools(): readonly AddressPool[] {
    return [...this.#pools.values()];
  }

  mark(address: string): void {
    this.#pools.get(familyOf(address))?.mark(address);
  }

  release(address: string): void {
    this.#pools.get(familyOf(address))?.release(address);
  }
}

/**
 * Sets the IP families of a service from those of the cluster, or returns errors. Only for clusters that may be
 * dual-stack.
 */
export function completeFamilies(spec: AddressedSpec, offered: readonly string[]): readonly FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const contradictions = againstSingleStack(spec);
  if (contradictions.length > 0) return contradictions;
  const families = [...(spec.ipFamilies ?? [])];
  spec.ipFamilies = families;
  for (const [i, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === 'None') break;
    if (i < families.length) continue;
    const family = familyOf(address);
    if (!offered.includes(family))
      return [field.invalid(`spec.clusterIPs[${i}]`, spec.clusterIPs, `the cluster has no addresses of ${family}`)];
    families.push(family);
  }
  const unselected = spec.clusterIPs?.[0] === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  const problems = unselected ? [] : unmet(spec, families, offered);
  if (problems.length > 0) return problems;
  const policy = spec.ipFamilyPolicy ?? (unselected ? 'RequireDualStack' : 'SingleStack');
  spec.ipFamilyPolicy = policy;
  if (families.length === 0) families.push(offered[0] ?? 'IPv4');
  const both = offered.length > 1 || (unselected && policy === 'RequireDualStack');
  if (policy !== 'SingleStack' && families.length === 1 && both)
    families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  return [];
}

function againstSingleStack({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: AddressedSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return [];
  const many = { clusterIPs, ipFamilies };
  return Object.entries(many).flatMap(([name, values]) =>
    values.length === 2
      ? [
          field.invalid(
            'spec.ipFamilyPolicy',
            ipFamilyPolicy,
            `must be RequireDualStack or PreferDualStack when multiple '${name}' are specified`,
          ),
        ]
      : [],
  );
}

function unmet(spec: AddressedSpec, families: readonly string[], offered: readonly string[]): FieldError[] {
  const policy = spec.ipFamilyPolicy;
  return [
    ...(policy === 'RequireDualStack' && offered.length < 2
      ? [field.invalid('spec.ipFamilyPolicy', policy, 'the cluster is not configured for dual stack services')]
      : []),
    ...families.flatMap((family, i) =>
      offered.includes(family)
        ? []
        : [field.invalid(`spec.ipFamilies[${i}]`, spec.clusterIPs, `${family} is not configured on the cluster`)],
    ),
  ];
}
