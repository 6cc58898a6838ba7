import { Part } from '../../std/index.ts';

/** What writes YAML: fetched when a client first accepts it. */
export const yamlWriter = new Part(() => import('./yamlText.ts'));
