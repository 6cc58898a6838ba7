/** The parts of this module that are loaded on first use. */
import { jsonPatching } from '../merge/index.ts';
import type { Loadable } from '../std/index.ts';
import { yamlReader } from './codec/body.ts';
import { yamlWriter } from './codec/yamlWriter.ts';
import { aggregation, remoteOpenApi } from './extensions/remoteServices.ts';
import { definitionServing } from './extensions/serving.ts';
import { applying } from './handlers/patch.ts';
import { exporting } from './handlers/read.ts';
import { pathParts } from './plainPaths.ts';
import { kindParts } from './registry/kinds/index.ts';
import { serviceProxy, sharedRanges } from './registry/kinds/services.ts';
import { fieldIndexing } from './registry/read.ts';
import { scaling, sharing } from './routes.ts';
import { webSocketBodies } from './stages/parts.ts';
import { writingTogether } from './server.ts';

export const apiServerParts: readonly Loadable[] = [
  ...pathParts,
  ...kindParts,
  sharedRanges,
  serviceProxy,
  definitionServing,
  aggregation,
  remoteOpenApi,
  scaling,
  sharing,
  writingTogether,
  exporting,
  applying,
  fieldIndexing,
  jsonPatching,
  webSocketBodies,
  yamlReader,
  yamlWriter,
];
