import { queryOptions } from '@tanstack/react-query';
import { api, data } from '../../api/client';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await data(api.GET('/api/account'))).account,
});
