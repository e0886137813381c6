import { api, data } from '../../api/client';
import { saveFile } from '../../ui/saveFile';

/**
 * Saves a stored document as a file. A plain link could not say which environment is shown, and
 * would show a refusal as a page. `raw`: the very bytes, without what protects spreadsheet programs.
 */
export async function downloadStored(id: number, filename: string, raw: boolean): Promise<void> {
  const params = { path: { id: String(id) }, query: { raw: raw ? 'true' : 'false' } as const };
  const content: unknown = await data(
    api.GET('/api/vault/{id}/download', { params, parseAs: 'blob' }),
  );
  if (!(content instanceof Blob)) throw new TypeError('the content came as something else');
  saveFile(content, filename);
}
