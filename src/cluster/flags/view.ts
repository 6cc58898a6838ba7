/** The flags for display: the declarations as plain data, with the names of a naming profile. */
import type { Names } from '../../names/index.ts';
import { gates } from '../gates.ts';
import { components, type Component, type ComponentKey } from './declarations/index.ts';
import type { Flag } from './declare.ts';
import { helpOf } from './help/index.ts';
import { reasons } from './help/reasons.ts';
import { FlagTable } from './parse.ts';
import { valueTypes } from './values.ts';

export interface FlagView {
  readonly name: string;
  readonly section: string;
  /** The type in words. */
  readonly type: string;
  /** Whether it may be repeated. */
  readonly several: boolean;
  /** Whether it can be given without a value. */
  readonly isSwitch: boolean;
  readonly help: string;
  /** The reference's default; empty for a text without one. */
  readonly default: string;
  /** The cluster's default. */
  readonly supplied?: string;
  readonly choices?: readonly string[];
  readonly isFile: boolean;
  readonly deprecated?: string;
  /** Why it is accepted without effect; missing if it works. */
  readonly noEffect?: string;
}

export interface GateView {
  readonly name: string;
  readonly stage: string;
  readonly on: boolean;
  readonly locked: boolean;
  readonly noEffect?: string;
}

export interface ComponentView {
  readonly key: ComponentKey;
  readonly title: string;
  readonly flags: readonly FlagView[];
}

export interface FlagsView {
  readonly components: readonly ComponentView[];
  readonly gates: readonly GateView[];
}

/** All flags and gates; a few hundred entries. */
export function describeFlags(names: Names): FlagsView {
  return {
    components: components.map((component) => describe(component, names)),
    gates: Object.entries(gates).map(([name, { stage, on, locked, noEffect }]) => ({
      name,
      stage,
      on,
      locked: locked === true,
      ...(noEffect !== undefined && { noEffect: reasons[noEffect] }),
    })),
  };
}

function describe({ key, title, flags }: Component, names: Names): ComponentView {
  const table = new FlagTable(flags, names);
  return { key, title, flags: flags.map((flag) => view(key, flag, table, names)) };
}

function view(component: ComponentKey, flag: Flag, table: FlagTable, names: Names): FlagView {
  const { deprecated, noEffect, section } = flag;
  const type = valueTypes[flag.type];
  const supplied = table.suppliedOf(flag);
  const choices = table.choicesOf(flag);
  return {
    name: table.nameOf(flag),
    section,
    type: type.title,
    several: type.several === true,
    isSwitch: type.bare !== undefined,
    help: names.fill(helpOf(component, flag.name)),
    default: table.defaultOf(flag) ?? type.zero ?? '',
    isFile: flag.file === true,
    ...(supplied !== undefined && { supplied }),
    ...(choices && { choices }),
    ...(deprecated !== undefined && { deprecated }),
    ...(noEffect !== undefined && { noEffect: reasons[noEffect] }),
  };
}
