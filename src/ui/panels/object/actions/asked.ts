/** Which action of an object asks for more: its inspector shows the dialog. */
import { create } from '../../../store.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import type { Asking } from './list.ts';

interface Asked {
  /** Its uid: another object of that name is not meant. */
  readonly uid: string | undefined;
  readonly asking: Asking | 'commands' | undefined;
}

export const useAsked = create<Asked>()(() => ({ uid: undefined, asking: undefined }));

/** Asks about an object in its inspector, now or as soon as that is open. */
export const ask = ({ metadata: { uid } }: ApiObject, asking: Asked['asking']): void =>
  useAsked.setState({ uid, asking });

/** Nothing is asked about the object of that uid any more. */
export function stopAsking(uid: string | undefined): void {
  if (useAsked.getState().uid === uid) useAsked.setState({ uid: undefined, asking: undefined });
}
