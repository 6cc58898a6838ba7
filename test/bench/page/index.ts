import type { Row } from '../row.ts';
import { mapRows } from './map.tsx';
import { storageRows } from './storage.ts';
import { transportRows } from './transport.ts';

/** The rows that run in Chromium, in the order in which they are printed. */
export const rows: readonly Row[] = [...storageRows, ...transportRows, ...mapRows];
