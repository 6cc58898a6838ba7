/** Asks before opening a cluster from a link or a file; nothing of it runs before. */
import { create } from '../store.ts';
import type { History } from './history.ts';
import type { Recipe } from './recipe.ts';

export type Offer = { readonly from: 'link' | 'file' } & (
  { readonly recipe: Recipe } | { readonly history: History } | { readonly problem: string }
);

export const useOffer = create<{ readonly offer: Offer | undefined }>()(() => ({ offer: undefined }));

export const makeOffer = (offer: Offer | undefined): void => useOffer.setState({ offer });
