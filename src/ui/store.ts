/** Stores of the page, and the hooks that read them. */
import { useSyncExternalStore } from 'preact/compat';
import {
  createStore,
  type Mutate,
  type StateCreator,
  type StoreApi,
  type StoreMutatorIdentifier,
} from 'zustand/vanilla';

export { createStore, type StoreApi };

type Readable<T> = Pick<StoreApi<T>, 'getState' | 'subscribe'>;

/** What `select` takes from the state of a store, or all of it; the component is drawn again when it becomes another. */
export function useStore<T>(store: Readable<T>): T;
export function useStore<T, U>(store: Readable<T>, select: (state: T) => U): U;
export function useStore<T>(store: Readable<T>, select: (state: T) => unknown = (state) => state): unknown {
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

/** Makes a store that is its own hook: called as a function, it does what `useStore` does with it. */
export function create<T>() {
  return <Mutators extends [StoreMutatorIdentifier, unknown][] = []>(initial: StateCreator<T, [], Mutators>) => {
    const store: StoreApi<T> & Mutate<StoreApi<T>, Mutators> = createStore<T>()(initial);
    function use(): T;
    function use<U>(select: (state: T) => U): U;
    function use(select: (state: T) => unknown = (state) => state): unknown {
      return useStore(store, select);
    }
    return Object.assign(use, store);
  };
}
