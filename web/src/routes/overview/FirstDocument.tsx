import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { LinkButton } from '../../ui/TextLink';
import { DocumentEntry } from '../inspect/DocumentEntry';
import { openDocument } from '../inspect/opened';

/** The way in: a document of one's own, or a sample; both go on in Inspect. */
export function FirstDocument() {
  const navigate = useNavigate();
  const open = (text: string, name: string) => {
    openDocument(text, name);
    void navigate({ to: '/app/inspect' });
  };
  return (
    <Panel title="Paste a document">
      <DocumentEntry onDocument={open}>
        <LinkButton
          to="/app/inspect"
          search={{ sample: '850_purchase_order' }}
          variant="default"
          leftSection={<Icon name="archive" size={16} />}
        >
          Use a sample 850
        </LinkButton>
      </DocumentEntry>
    </Panel>
  );
}
