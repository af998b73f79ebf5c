import { z } from "zod";
import { LINEAGE } from "@/server/store/ledger/ledger";
import { runRead } from "@/server/db/client";
import { queryRows } from "@/server/store/sql/rows";

const sizeSchema = z.object({ records: z.coerce.number().int(), bytes: z.coerce.number().int() });
export type LedgerSize = z.infer<typeof sizeSchema>;

const SIZE = `${LINEAGE}, texts as (
  select coalesce(sum(octet_length(body)), 0) as bytes, count(*) as records
  from lineage join ledger_record on run_id = id and seq >= from_seq and seq < to_seq where workspace_id = $1
), values_ as (
  select coalesce(sum(octet_length(sealed) + octet_length(label) + octet_length(path)), 0) as bytes
  from lineage join cell on run_id = id and seq >= from_seq and seq < to_seq where workspace_id = $1
)
select texts.records, texts.bytes + values_.bytes as bytes from texts, values_`;

/** Size including a fork's shared records. `bytes`: as stored. */
export const getLedgerSize = (workspaceId: string, runId: string): Promise<LedgerSize> =>
  runRead(workspaceId, async (client) => {
    const [size] = await queryRows(client, sizeSchema, { text: SIZE, values: [workspaceId, runId] });

    return sizeSchema.parse(size);
  });
