import { Button, FileButton, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { AS2_QUESTIONS, type As2Form } from '../../core/as2Connection';
import { formOfProfile, type ProfileEnvironment } from '../../core/as2Profile';
import type { ConnectionForm } from '../../core/partnerConnection';
import { CopyButton } from '../../ui/CopyButton';
import { Icon } from '../../ui/Icon';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { readFile } from '../inspect/readFile';

interface Props {
  form: As2Form;
  environment: ProfileEnvironment;
  onChange: (changed: Partial<ConnectionForm>) => void;
}

/** Fills the form with the profile of the partner; nothing is stored until the form is saved. */
export function ImportProfile({ form, environment, onChange }: Props) {
  const fill = useMutation({
    mutationFn: async (file: File) => {
      const read = await readFile(file);
      if (read.kind !== 'text') throw new TypeError(read.reason);
      return formOfProfile(read.text, environment, form);
    },
    onSuccess: (changed) => {
      onChange(changed);
      notifyDone('The form has the profile. Compare the certificate with the partner, then save.');
    },
    onError: (error) => notifyFailed('The profile could not be imported.', error),
  });
  return (
    <Group gap="sm">
      <CopyButton text={AS2_QUESTIONS} what="what to ask the partner" />
      <FileButton
        accept="application/json,.json"
        onChange={(file) => file !== null && fill.mutate(file)}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={fill.isPending}
            leftSection={<Icon name="upload" size={16} />}
          >
            Import profile
          </Button>
        )}
      </FileButton>
    </Group>
  );
}
