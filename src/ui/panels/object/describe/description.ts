import type { ReactNode } from 'preact/compat';

export interface Description {
  readonly title: string;
  readonly content: ReactNode;
}
