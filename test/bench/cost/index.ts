import { thousands } from '../row.ts';
import { paths, type Path } from './paths.ts';
import { slope } from './spend.ts';

/** `npm run bench -- cost`: what each path costs once, in CPU and bytes, and how that grows with what it may hang on. */
export async function printCosts(only: string, print: (line: string) => void): Promise<void> {
  print('CPU microseconds and bytes allocated for one, and the log-log slope of that over the sizes');
  for (const path of paths.filter(({ name }) => name.includes(only))) print(await lineOf(path));
}

async function lineOf({ name, over, sizes, measure }: Path): Promise<string> {
  const points: (readonly [number, number])[] = [];
  const texts: string[] = [];
  for (const size of sizes) {
    const { times, spent } = await measure(size);
    points.push([size, (spent.cpu * 1000) / times]);
    texts.push(`${thousands((spent.cpu * 1000) / times)} µs, ${thousands(spent.bytes / times / 1024)} KB at ${size}`);
  }
  const growth = sizes.length > 1 ? `slope ${slope(points).toFixed(2)} over ${over}` : '';
  return `  ${name.padEnd(38)} ${texts.join(' · ')}  ${growth}`;
}
