import type { Program } from '../process.ts';
import type { Tree } from '../files/index.ts';

/** The contents of an image: files, and its default program. */
export interface Image {
  /** Bytes; how long a pull takes follows from it. */
  readonly size: number;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly user: number;
  /**
   * Its own program answers probes with the same result while it runs: a long step of the clock need not probe each
   * time.
   */
  readonly steady?: boolean;
  /** Puts the image's files into a tree that has the usual directories. */
  fill(tree: Tree): void;
  /** What runs in place of a program that the image doesn't have. Only images that aren't known have it. */
  readonly standIn?: Program;
}

const MB = 1024 * 1024;
const PAGE = 4096;

export type ImageParts = Partial<Omit<Image, 'size'>>;

/** The memory of a server from an image in bytes: larger images use more. */
export const residentMemory = ({ size }: Image): number => Math.min(32 * MB, Math.round(size / 20 / PAGE) * PAGE);

/** An image with a size in megabytes. */
export function image(megabytes: number, parts: ImageParts = {}): Image {
  const base = { entrypoint: [], command: [], env: {}, directory: '/', user: 0, fill: () => undefined };
  return { ...base, ...parts, size: megabytes * MB };
}

/** Two images' files in one. */
export const filled =
  (...fills: readonly ((tree: Tree) => void)[]) =>
  (tree: Tree): void =>
    fills.forEach((fill) => fill(tree));
