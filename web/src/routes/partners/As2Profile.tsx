import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { profileFile, profileFileName } from '../../core/as2Profile';
import { CopyButton } from '../../ui/CopyButton';
import { Icon } from '../../ui/Icon';
import { notifyDone, notifyFailed } from '../../ui/notify';
import { saveFile } from '../../ui/saveFile';

const IDENTITIES = ['as2-identities'];
const VALID_DAYS = 730;

const identitiesQuery = queryOptions({
  queryKey: IDENTITIES,
  queryFn: async ({ signal }) =>
    (await data(api.GET('/api/as2/identities', { signal }))).identities,
});

/** What the partner needs of us, or the way to make the identity that the connection names. */
export function As2Profile({ name }: { name: string }) {
  const identities = useQuery(identitiesQuery);
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      data(api.POST('/api/as2/identities', { body: { as2_name: name, valid_days: VALID_DAYS } })),
    onSuccess: async () => {
      notifyDone('The AS2 identity was created. Send its profile to the partner.');
      await queries.invalidateQueries({ queryKey: IDENTITIES });
    },
    onError: (error) => notifyFailed('The AS2 identity could not be created.', error),
  });
  if (identities.data === undefined) return null;
  const own = identities.data.find(({ as2_name }) => as2_name === name);
  if (own === undefined) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text>
          You have no AS2 identity “{name}” in this environment. Without it nothing can be sent or
          received.
        </Text>
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
          Create this identity
        </Button>
      </Stack>
    );
  }
  const isExpiring = own.certificates.some(({ signs, is_expiring }) => signs && is_expiring);
  return (
    <Stack gap="sm" align="stretch">
      <Textarea
        label="Send this to the partner"
        readOnly
        autosize
        minRows={4}
        maxRows={8}
        value={own.profile}
      />
      {isExpiring && (
        <Text c="var(--ls-err)">
          The certificate expires within 30 days, or has expired. Replace it: longshore as2 add-key.
        </Text>
      )}
      <Group gap="sm">
        <CopyButton text={own.profile} what="profile" />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => saveFile(profileFile(own.profile_file), profileFileName(name))}
        >
          Download profile
        </Button>
      </Group>
    </Stack>
  );
}
