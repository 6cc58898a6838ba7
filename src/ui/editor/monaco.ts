/** Monaco, with the features that YAML needs and no other language; loaded when an editor is first opened. */
import 'monaco-editor/features/bracketMatching/register.js';
import 'monaco-editor/features/clipboard/register.js';
import 'monaco-editor/features/comment/register.js';
import 'monaco-editor/features/codeEditor/register.js';
import 'monaco-editor/features/cursorUndo/register.js';
import 'monaco-editor/features/find/register.js';
import 'monaco-editor/features/folding/register.js';
import 'monaco-editor/features/format/register.js';
import 'monaco-editor/features/gotoError/register.js';
import 'monaco-editor/features/hover/register.js';
import 'monaco-editor/features/indentation/register.js';
import 'monaco-editor/features/linesOperations/register.js';
import 'monaco-editor/features/multicursor/register.js';
import 'monaco-editor/features/placeholderText/register.js';
import 'monaco-editor/features/smartSelect/register.js';
import 'monaco-editor/features/snippet/register.js';
// The feature of that name registers only suggestions within the line; the list is this.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js';
import 'monaco-editor/features/toggleTabFocusMode/register.js';
import 'monaco-editor/features/wordHighlighter/register.js';
import 'monaco-editor/features/wordOperations/register.js';
import 'monaco-editor/features/codicon/register.js';
import 'monaco-editor/languages/definitions/yaml/register.js';
import * as monaco from 'monaco-editor/editor.js';
import { configureMonacoYaml, type JSONSchema, type MonacoYaml } from 'monaco-yaml';
import { applyTheme } from './theme.ts';

const editorWorker = (): Worker =>
  new Worker(new URL('./workers/editor.worker.ts', import.meta.url), { type: 'module', name: 'editor' });
const yamlWorker = (): Worker =>
  new Worker(new URL('./workers/yaml.worker.ts', import.meta.url), { type: 'module', name: 'yaml' });

self.MonacoEnvironment = { getWorker: editorWorker };

/** As monaco-yaml asks for its worker: by a name that it passes, with data that the worker is to be made with. */
interface WorkerRequest {
  readonly createData?: unknown;
}

/**
 * monaco-yaml asks for workers in the form that Monaco had before 0.53. The worker's first message is one that it
 * ignores, its second the data; then Monaco speaks with it.
 */
function createYamlWorker({ createData }: WorkerRequest): unknown {
  const worker = yamlWorker();
  worker.postMessage('ignore');
  worker.postMessage(createData);
  return monaco.editor.createWebWorker({ worker });
}

const forYaml = { ...monaco, editor: { ...monaco.editor, createWebWorker: createYamlWorker } };

let yaml: MonacoYaml | undefined;

/** Lets texts be checked and completed by this schema. */
export function checkBySchema(schema: JSONSchema | undefined): void {
  const schemas = schema ? [{ uri: 'vitrine://schema', fileMatch: ['*'], schema }] : [];
  if (yaml) void yaml.update({ schemas });
  // The object above is Monaco but for one function; monaco-yaml's own type for it is an older Monaco's.
  else
    yaml = configureMonacoYaml(
      forYaml as never,
      {
        schemas,
        completion: true,
        hover: true,
        validate: true,
        format: true,
        enableSchemaRequest: false,
        isKubernetes: false,
      } as never,
    );
}

applyTheme(monaco);

export { monaco };
