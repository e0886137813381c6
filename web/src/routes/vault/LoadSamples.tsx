import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { counted } from '../../core/treeWords';
import { notifyDone, notifyFailed } from '../../ui/notify';

/** Puts the sample documents into the vault of the shown environment. */
export function LoadSamples() {
  const queries = useQueryClient();
  const load = useMutation({
    mutationFn: () => data(api.POST('/api/samples')),
    onSuccess: async ({ stored }) => {
      await queries.invalidateQueries({ queryKey: ['vault'] });
      notifyDone(`${counted(stored, 'sample document')} stored.`);
    },
    onError: (error) => notifyFailed('The samples could not be stored.', error),
  });
  return (
    <Button onClick={() => load.mutate()} loading={load.isPending}>
      Load sample data
    </Button>
  );
}
