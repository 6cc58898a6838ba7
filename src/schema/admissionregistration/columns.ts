/** Columns of webhook configurations. */
import type { ApiObject, Column } from '../define/index.ts';
import { age, integer, name } from '../meta/columns.ts';

interface Configuration {
  readonly metadata: ApiObject['metadata'];
  readonly webhooks?: readonly unknown[];
}

export const webhookColumns: readonly Column<Configuration>[] = [
  name,
  integer('Webhooks', 'How many webhooks there are.', ({ webhooks }: Configuration) => webhooks?.length ?? 0),
  age,
];
