import type { Program } from '../process.ts';
import { eachInput, linesOf, out, readOptions } from './tool.ts';

export const cat: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'nuvetAETbs');
  let number = 0;
  return eachInput(process, options.rest, async (stream) => {
    if (options.has('n', 'b')) {
      for await (const line of linesOf(process, stream))
        await out(process, `${String(++number).padStart(6)}\t${line}\n`);
      return;
    }
    for (let bytes = await stream.read(process.killed); bytes; bytes = await stream.read(process.killed)) {
      const slice = process.step();
      if (slice) await slice;
      await out(process, bytes);
    }
  });
};
