/** Which action of an object asks for more: its inspector shows the dialog. */
import { create } from 'zustand';
import { formatRef, type ObjectRef } from '../../../stores/resources.ts';
import type { Asking } from './list.ts';

interface Asked {
  readonly object: string;
  readonly asking: Asking | 'commands' | undefined;
}

export const useAsked = create<Asked>()(() => ({ object: '', asking: undefined }));

/** Asks about an object in its inspector, now or as soon as that is open. */
export const ask = (target: ObjectRef, asking: Asked['asking']): void =>
  useAsked.setState({ object: formatRef(target), asking });
