import type { ReactNode } from 'react';

export interface Description {
  readonly title: string;
  readonly content: ReactNode;
}
