import { useEffect, useMemo, useState, type ComponentProps } from 'preact/compat';
import { checkBySchema } from '../../editor/monaco.ts';
import { kindsIn, loadCatalog, schemaFor, type Catalog, type NamedKind } from '../../editor/schema.ts';
import { YamlEditor } from '../../editor/YamlEditor.tsx';
import { useAdministrator } from '../../stores/clients.ts';
import { useResources } from '../../stores/resources.ts';

/** The server's schema, asked for anew whenever it serves something else. */
function useCatalog(): Catalog | undefined {
  const client = useAdministrator();
  const resources = useResources((state) => state.resources);
  const [catalog, setCatalog] = useState<Catalog>();
  useEffect(() => {
    // Without a schema the editor still edits: completion is all that is missing.
    loadCatalog(client).then(setCatalog, () => undefined);
  }, [client, resources]);
  return catalog;
}

/** The editor, with the schema of the kinds that stand in its text. */
export default function SchemaEditor(props: ComponentProps<typeof YamlEditor>) {
  const catalog = useCatalog();
  // As one text, which changes only when the kinds do: every change of the schema starts the checker anew.
  const kinds = JSON.stringify(useMemo(() => kindsIn(props.text), [props.text]));
  useEffect(() => {
    checkBySchema(catalog && schemaFor(catalog, JSON.parse(kinds) as readonly NamedKind[]));
  }, [catalog, kinds]);
  return <YamlEditor {...props} />;
}
