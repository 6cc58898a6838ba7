import { useEffect, useMemo, useState, type ComponentProps } from 'react';
import { readManifests } from '../../editor/documents.ts';
import { checkBySchema } from '../../editor/monaco.ts';
import { loadCatalog, schemaFor, type Catalog } from '../../editor/schema.ts';
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

/** The kinds that a text holds, as one text that changes only when they do. */
function kindsIn(text: string): string {
  return readManifests(text)
    .manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)
    .sort()
    .join('\n');
}

/** The editor, with the schema of the kinds that stand in its text. */
export default function SchemaEditor(props: ComponentProps<typeof YamlEditor>) {
  const catalog = useCatalog();
  const kinds = useMemo(() => kindsIn(props.text), [props.text]);
  useEffect(() => {
    const present = kinds.split('\n').map((line) => {
      const [apiVersion = '', kind = ''] = line.split(' ');
      return { apiVersion, kind };
    });
    checkBySchema(catalog && schemaFor(catalog, present));
  }, [catalog, kinds]);
  return <YamlEditor {...props} />;
}
