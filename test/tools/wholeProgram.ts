/** Tests have the whole program at hand, as a cluster outside a page has: how long a part takes to load is no part of what they test. */
import { programParts } from '../../src/cluster/index.ts';
import { loadAll } from '../../src/std/index.ts';

await loadAll(programParts);
