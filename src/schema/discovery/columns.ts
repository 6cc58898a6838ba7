/** Columns of endpoint slices. */
import type { Column } from '../define/index.ts';
import { age, firstOf, name, text } from '../meta/columns.ts';
import type { EndpointSlice } from './endpointSlice.ts';

const SHOWN = 3;
const first = (items: readonly string[]): string => firstOf(items, SHOWN) || '<unset>';

export const endpointSliceColumns: readonly Column<EndpointSlice>[] = [
  name,
  text('AddressType', 'What the addresses are.', ({ addressType }) => addressType),
  text('Ports', 'Ports of each endpoint.', ({ ports }) =>
    first((ports ?? []).map(({ port, name: portName }) => String(port ?? portName ?? '*'))),
  ),
  text('Endpoints', 'Addresses of the endpoints.', ({ endpoints }) =>
    first((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  ),
  age,
];
