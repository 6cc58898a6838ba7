import type { Names } from '../../names/index.ts';

/** Region and zone of a node, preferring the older labels; undefined if it has neither. */
export function zoneOf(labels: Readonly<Record<string, string>>, names: Names): string | undefined {
  const label = (name: 'zone' | 'region'): string =>
    labels[names.fill(`failure-domain.beta.{label}/${name}`)] ?? labels[names.fill(`topology.{label}/${name}`)] ?? '';
  const [region, zone] = [label('region'), label('zone')];
  return region === '' && zone === '' ? undefined : `${region}:\0:${zone}`;
}
