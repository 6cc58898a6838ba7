// Has a say in where pods go, as an extender of the scheduler. It is asked twice: which nodes may stay, and how good they are.
const labelsOf = ({ metadata }) => metadata.labels ?? {};

export default ({ Nodes }, { path }) => {
  if (path.endsWith('/prioritize')) {
    // From 0 to 10; the scheduler weighs it with everything else.
    return Nodes.items.map((node) => ({ Host: node.metadata.name, Score: labelsOf(node).power === 'green' ? 10 : 0 }));
  }
  const dirty = Nodes.items.filter((node) => labelsOf(node).power === 'coal');
  return {
    Nodes: { items: Nodes.items.filter((node) => !dirty.includes(node)) },
    FailedNodes: Object.fromEntries(dirty.map((node) => [node.metadata.name, 'the node burns coal'])),
  };
};
