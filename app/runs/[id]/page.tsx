import type { Metadata } from "next";
import { z } from "zod";
import { ComparePage } from "@/components/runs/compare-page";
import { queryFirstRecords } from "@/components/runs/feed/ranges";
import { RunPage } from "@/components/runs/run-page";
import { uuidSchema } from "@/lib/ids";
import { HydrateClient, prefetch, readPrefetched, requireSession, titleFrom, trpc } from "@/server/trpc/rsc";

/** Characters of an id that lists show. */
const SHORT = 8;

type Props = {
  readonly params: Promise<{ id: string }>;
  readonly searchParams: Promise<{ compare?: string | string[]; t?: string | string[] }>;
};

const nameRun = (id: string, kind: string, ...others: readonly string[]) =>
  titleFrom(trpc.runs.get.queryOptions({ runId: id }), kind, ({ run }) =>
    [`${run.graphName} ${id.slice(0, SHORT)}`, ...others.map((other) => other.slice(0, SHORT))].join(" and "),
  );

export const generateMetadata = async ({ params, searchParams }: Props): Promise<Metadata> => {
  const [{ id }, { compare }] = await Promise.all([params, searchParams]);
  const other = uuidSchema.safeParse(compare);

  return other.success ? nameRun(id, "Compare runs", other.data) : nameRun(id, "Run");
};

const seqSchema = z.coerce.number().int().min(0);

const RunRoute = async ({ params, searchParams }: Props) => {
  const { role, auditor } = await requireSession();
  const { id } = await params;
  const { compare, t } = await searchParams;
  const other = uuidSchema.safeParse(compare);
  if (other.success) return <ComparePage runId={id} otherId={other.data} />;
  await prefetch(trpc.runs.get.queryOptions({ runId: id }));
  const total = readPrefetched(trpc.runs.get.queryKey({ runId: id }))?.run.version ?? 0;
  if (total > 0) {
    const last = total - 1;
    await prefetch(trpc.runs.records.queryOptions(queryFirstRecords(id, Math.min(seqSchema.safeParse(t).data ?? last, last), total)));
  }

  return (
    <HydrateClient>
      <RunPage runId={id} role={role} auditor={auditor} />
    </HydrateClient>
  );
};

export default RunRoute;
