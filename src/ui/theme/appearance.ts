/** How the page looks to this person: theme, contrast, size. Kept in the browser, applied as attributes of the root. */
import { create } from '../store.ts';
import { persist } from 'zustand/middleware';

export type Theme = 'system' | 'light' | 'dark';
export type Contrast = 'normal' | 'more';
export type Size = 'normal' | 'projector';

interface Appearance {
  readonly theme: Theme;
  readonly contrast: Contrast;
  readonly size: Size;
}

export const useAppearance = create<Appearance>()(
  persist((): Appearance => ({ theme: 'system', contrast: 'normal', size: 'normal' }), {
    name: 'vitrine.appearance',
  }),
);

const darkPreferred = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)');
const contrastPreferred = (): MediaQueryList => window.matchMedia('(prefers-contrast: more)');

/** The theme in force, once the system's preference has been asked. */
export function effectiveTheme(theme: Theme): 'light' | 'dark' {
  if (theme !== 'system') return theme;
  return darkPreferred().matches ? 'dark' : 'light';
}

function apply({ theme, contrast, size }: Appearance): void {
  const root = document.documentElement.dataset;
  root.theme = effectiveTheme(theme);
  root.contrast = contrast === 'more' || contrastPreferred().matches ? 'more' : 'normal';
  root.size = size;
}

/** Applies the appearance now and whenever it, or the system's preference, changes. */
export function followAppearance(): void {
  const again = (): void => apply(useAppearance.getState());
  useAppearance.subscribe(again);
  darkPreferred().addEventListener('change', again);
  contrastPreferred().addEventListener('change', again);
  again();
}
