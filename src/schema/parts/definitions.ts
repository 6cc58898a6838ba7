/** Definitions of kinds, and what follows from one. */
export { customResourceDefinitionRules } from '../apiextensions/customResourceDefinition.rules.ts';
export { customResources } from '../custom/index.ts';
export { structuralViolations } from '../apiextensions/violations.ts';
