import { Part } from '../../std/index.ts';

/** The YAML writer, loaded when a client first accepts YAML. */
export const yamlWriter = new Part(() => import('./yamlText.ts'));
