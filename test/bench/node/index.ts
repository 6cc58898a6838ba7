import type { Row } from '../row.ts';
import { authorizationRows } from './authorization.ts';
import { containerRows } from './containers.ts';
import { flowRows } from './flow.ts';
import { libraryRows } from './library.ts';
import { networkRows } from './network.ts';
import { requestRows } from './requests.ts';
import { rolloutRows } from './rollout.ts';
import { schedulingRows } from './scheduling.ts';
import { schemaRows } from './schema.ts';
import { timeRows } from './time.ts';
import { writeRows } from './writes.ts';

/** The rows that run in Node, in the order in which they are printed. */
export const rows: readonly Row[] = [
  ...requestRows,
  ...writeRows,
  ...schemaRows,
  ...authorizationRows,
  ...flowRows,
  ...containerRows,
  ...networkRows,
  ...schedulingRows,
  ...timeRows,
  ...rolloutRows,
  ...libraryRows,
];
