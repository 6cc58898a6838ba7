/** Runs the plugins in their order: mutating pass (and its reinvocation), later the validating pass. */
import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from './types.ts';

/** The chain as the API server calls it. */
export interface Admission {
  readonly plugins: readonly AdmissionPlugin[];
  /** Mutating plugins, in order; again from the start when a webhook asked for it and something changed after it. */
  admit(attributes: AdmissionAttributes): Promise<void>;
  /** Validating plugins, in order; the first refusal ends the request. */
  validate(attributes: AdmissionAttributes): Promise<void>;
}

export function createAdmission(plugins: readonly AdmissionPlugin[]): Admission {
  const pass = async (attributes: AdmissionAttributes, reinvocation: boolean): Promise<boolean> => {
    let again = false;
    const context: AdmissionContext = { reinvocation, reinvoke: () => (again = true) };
    for (const plugin of plugins)
      if (plugin.admit && plugin.handles(attributes.operation)) await plugin.admit(attributes, context);
    return again;
  };
  return {
    plugins,
    admit: async (attributes) => {
      if (await pass(attributes, false)) await pass(attributes, true);
    },
    validate: async (attributes) => {
      for (const plugin of plugins)
        if (plugin.validate && plugin.handles(attributes.operation)) await plugin.validate(attributes);
    },
  };
}
