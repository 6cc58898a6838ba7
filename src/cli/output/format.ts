/** What `-o` may say, and what it prints of objects. */
import type { ApiObject } from '../../schema/index.ts';
import { goText } from '../../std/index.ts';
import { complaint, PrintedError } from '../command/errors.ts';
import type { Files } from '../command/session.ts';
import { parseColumns, parseColumnsFile, printColumns } from './customColumns.ts';
import { parseGoTemplate, RunError, TemplateError } from './goTemplate/index.ts';
import { compactJson, printJson, printJsonAsIs } from './json.ts';
import { parseTemplate } from './jsonPath/index.ts';
import { printYaml } from './yaml.ts';

/** Prints what was found: `single` when one object was asked for by its name, else all of them as a list. */
export type Format = (objects: readonly ApiObject[], single: boolean) => string;

/** The formats that print objects, in the order in which messages list them; `table` and `wide` are the server's. */
const FORMATS = [
  'custom-columns',
  'custom-columns-file',
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'template',
  'templatefile',
  'wide',
  'yaml',
] as const;

export interface FormatOptions {
  readonly headers: boolean;
  /** The value of `--template`, for an output format given without a template of its own. */
  readonly template?: string;
  /** Whether a field that nothing has is no failure; it is none where nothing is said. */
  readonly missing?: boolean;
  /** Whether the keys of JSON keep their order; else they are sorted. */
  readonly inOrder?: boolean;
  /** The resource's name for `-o name`. */
  readonly nameOf: (object: ApiObject) => string;
}

/** The format as it is listed: the plain ones are read in capitals, too. */
export const listedFormat = (output: string): string =>
  /^(json|yaml|name)$/i.test(output) ? output.toLowerCase() : output;

/** The format that `output` names; undefined for the server's own tables. Throws CommandError. */
export async function formatOf(asked: string, files: Files, options: FormatOptions): Promise<Format | undefined> {
  const output = listedFormat(asked);
  if (output === '' && options.template) return formatOf(`go-template=${options.template}`, files, options);
  const equals = output.indexOf('=');
  const name = equals < 0 ? output : output.slice(0, equals);
  const given = equals < 0 ? (options.template ?? '') : output.slice(equals + 1);
  if (output === '' || output === 'wide') return undefined;
  if (output === 'json') {
    const print = options.inOrder ? printJsonAsIs : printJson;
    return (objects, single) => print(whole(objects, single));
  }
  if (output === 'yaml') return (objects, single) => printYaml(whole(objects, single));
  if (output === 'name') return (objects) => objects.map((object) => `${options.nameOf(object)}\n`).join('');
  const template = name.endsWith('file')
    ? await readFile(files, given, name.startsWith('custom') ? 'template' : '--template')
    : given;
  return templateFormat(name, template, options) ?? unknownFormat(output);
}

function templateFormat(name: string, text: string, { headers, missing = true }: FormatOptions): Format | undefined {
  if (name.startsWith('jsonpath')) {
    if (text === '') throw complaint('template format specified but no template given');
    const template = parseTemplate(text, { missing });
    if (name === 'jsonpath-as-json')
      return (objects, single) =>
        template
          .findEach(whole(objects, single))
          .map((found) => printJson(found))
          .join('');
    return (objects, single) => template.print(whole(objects, single));
  }
  if (GO_TEMPLATES.includes(name)) {
    if (text === '') throw complaint('template format specified but no template given');
    return goTemplateFormat(text, missing);
  }
  if (name === 'custom-columns' || name === 'custom-columns-file') {
    const columns = name === 'custom-columns' ? parseColumns(text) : parseColumnsFile(text);
    return (objects) => printColumns(columns, objects, { headers });
  }
  return undefined;
}

const GO_TEMPLATES: readonly string[] = ['go-template', 'go-template-file', 'template', 'templatefile'];

function goTemplateFormat(text: string, missing: boolean): Format {
  const fill = readTemplate(text, missing);
  return (objects, single) => {
    const value = whole(objects, single);
    try {
      return fill(value);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      throw new PrintedError(
        `error: error executing template ${JSON.stringify(text)}: ${error.message}`,
        error.written + failureText(text, value, error.message),
      );
    }
  };
}

function readTemplate(text: string, missing: boolean): (value: unknown) => string {
  try {
    return parseGoTemplate(text, missing);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw complaint(`error parsing template ${text}, template: output:1: ${error.message}`);
  }
}

/** What the reference prints where a template fails. */
const failureText = (template: string, value: unknown, problem: string): string =>
  [
    `Error executing template: ${problem}. Printing more information for debugging the template:`,
    `\ttemplate was:\n\t\t${template}`,
    `\traw data was:\n\t\t${compactJson(value)}`,
    `\tobject given to template engine was:\n\t\t${goText(value)}\n\n`,
  ].join('\n');

function unknownFormat(output: string): never {
  throw complaint(
    `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${FORMATS.join(',')}`,
  );
}

async function readFile(files: Files, path: string, what: string): Promise<string> {
  const text = await files.read(path);
  if (text === undefined) throw complaint(`error reading ${what} ${path}, open ${path}: no such file or directory`);
  return text;
}

/** One object as it is, several as a list. */
const whole = (objects: readonly ApiObject[], single: boolean): unknown =>
  single && objects.length === 1
    ? objects[0]
    : { apiVersion: 'v1', items: objects, kind: 'List', metadata: { resourceVersion: '', selfLink: '' } };
