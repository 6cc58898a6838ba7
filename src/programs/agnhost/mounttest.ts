import { SystemError } from '../errors.ts';
import type { Place } from '../files/index.ts';
import type { Process, Program } from '../process.ts';
import { permissionText } from '../tools/ls.ts';
import { out, readOptions } from '../tools/tool.ts';

const FLAGS = [
  'fs_type',
  'file_mode',
  'file_perm',
  'file_owner',
  'new_file_0644',
  'new_file_0666',
  'new_file_0660',
  'new_file_0777',
  'file_content',
  'file_content_in_loop',
  'retry_time',
  'break_on_expected_content',
];
const CONTENT = 'mount-tester new file\n';

/** The mode as Go writes it: a sticky directory is `dt…`, a link `L…`. */
function goMode({ node }: Place): string {
  const type = { directory: 'd', link: 'L', special: 'Dc', file: '', generated: '' }[node.type];
  const special = `${node.mode & 0o4000 ? 'u' : ''}${node.mode & 0o2000 ? 'g' : ''}${node.mode & 0o1000 ? 't' : ''}`;
  return (type + special || '-') + permissionText(node);
}

const permissions = ({ node }: Place): string => `-${permissionText(node)}`;

/** Prints facts about files for volume tests: type, mode, owner, content. */
export const mounttest: Program = async (process) => {
  const words = process.args.slice(2).map((word) => word.replace(/^-(?=\w{2})/, '--'));
  const options = readOptions(
    words,
    '',
    '',
    FLAGS.map((flag) => `${flag}=`),
  );
  process.umask = 0;
  let code = 0;
  const show = async (flag: string, text: (place: Place, path: string) => string): Promise<void> => {
    const path = options.value(flag);
    if (path) code = Math.max(code, await report(process, path, (place) => text(place, JSON.stringify(path))));
  };
  await show('fs_type', ({ mount }, path) => `mount type of ${path}: ${mount.root.device.type}\n`);
  for (const mode of ['0644', '0666', '0660', '0777']) {
    const path = options.value(`new_file_${mode}`);
    if (path) code = Math.max(code, await writeNew(process, path, parseInt(mode, 8)));
  }
  await show('file_mode', (place, path) => `mode of file ${path}: ${goMode(place)}\n`);
  await show('file_perm', (place, path) => `perms of file ${path}: ${permissions(place)}\n`);
  await show(
    'file_owner',
    ({ node }, path) => `owner UID of ${path}: ${node.uid}\nowner GID of ${path}: ${node.gid}\n`,
  );
  const content = options.value('file_content');
  if (content) code = Math.max(code, await readContent(process, content));
  const loop = options.value('file_content_in_loop');
  if (loop)
    code = Math.max(
      code,
      await readInLoop(
        process,
        loop,
        Number(options.value('retry_time') ?? 180),
        options.value('break_on_expected_content') !== 'false',
      ),
    );
  return code;
};

async function report(process: Process, path: string, text: (place: Place) => string): Promise<number> {
  try {
    await out(process, text(process.files.find(path)));
    return 0;
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    await out(process, `error looking at ${JSON.stringify(path)}: ${problem.message.toLowerCase()}\n`);
    return 1;
  }
}

async function writeNew(process: Process, path: string, mode: number): Promise<number> {
  try {
    process.files.write(path, CONTENT, mode);
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    await out(
      process,
      `error writing new file ${JSON.stringify(path)}: open ${path}: ${problem.message.toLowerCase()}\n`,
    );
    return 1;
  }
  return readContent(process, path);
}

async function readContent(process: Process, path: string): Promise<number> {
  try {
    await out(process, `content of file ${JSON.stringify(path)}: ${process.files.text(path)}\n`);
    return 0;
  } catch (problem) {
    if (!(problem instanceof SystemError)) throw problem;
    await out(
      process,
      `error reading file content for ${JSON.stringify(path)}: open ${path}: ${problem.message.toLowerCase()}\n`,
    );
    return 1;
  }
}

async function readInLoop(process: Process, path: string, seconds: number, breaks: boolean): Promise<number> {
  const end = process.system.clock.now() + seconds * 1000;
  let code = 0;
  while (process.system.clock.now() < end) {
    const text = textOf(process, path);
    code = text === undefined ? 1 : 0;
    if (text === undefined)
      await out(process, `Error reading file ${path}: open ${path}: no such file or directory, retrying\n`);
    else await out(process, `content of file ${JSON.stringify(path)}: ${text}\n`);
    if (breaks && text === CONTENT) break;
    if (breaks && text !== undefined) await out(process, `Unexpected content. Expected: ${CONTENT}. Retrying`);
    await process.sleep(2000);
  }
  return code;
}

function textOf({ files }: Process, path: string): string | undefined {
  try {
    return files.text(path);
  } catch (problem) {
    if (problem instanceof SystemError) return undefined;
    throw problem;
  }
}
