import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { partnerOfFile } from '../../core/partnerFile';
import { Icon } from '../../ui/Icon';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { readFile } from '../inspect/readFile';
import { addPartnerText } from './changes';

/** Adds a partner out of a file that was exported; secrets are not in it and are entered again. */
export function ImportPartner() {
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: async (file: File) => {
      const read = await readFile(file);
      if (read.kind !== 'text') throw new TypeError(read.reason);
      return addPartnerText(partnerOfFile(read.text));
    },
    onSuccess: async ({ id, name }) => {
      notifyDone(
        `The partner ${name} was created. The file does not contain the secrets of its connections.`,
      );
      await navigate({ to: '/app/partners/$partnerId', params: { partnerId: String(id) } });
    },
    onError: (error) => notifyFailed('The partner could not be imported.', error),
  });
  return (
    <FileButton
      accept="application/json,.json"
      onChange={(file) => file !== null && add.mutate(file)}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          loading={add.isPending}
          leftSection={<Icon name="upload" size={16} />}
        >
          Import
        </Button>
      )}
    </FileButton>
  );
}
