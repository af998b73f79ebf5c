import { computeVariablesDigest } from "@/lib/engine/ledger/settings-digests";
import { findCurrent } from "@/lib/environments/environment-fold";
import { listVariablesRows } from "@/server/store/environments";
import { listNumbers } from "@/server/store/graphs/live";
import { getAuthorNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { confirmRow, readAuthority } from "@/server/web/authority";
import { describeAsker, listAuthors } from "@/server/web/promotion";

export const environmentsList = createProcedure("graph.read").query(async ({ ctx: { workspaceId, user } }) => {
  const { environments: fold } = await readAuthority(workspaceId);
  const readRows = () => listVariablesRows(workspaceId);
  const rows = await confirmRow(workspaceId, await readRows(), readRows, (found) =>
    fold.list.map(({ id }) => {
      const row = found.get(id);

      return { area: "environments", subject: id, digest: row ? computeVariablesDigest(row.variables) : null };
    }),
  );
  const [names, numbers] = await Promise.all([
    getAuthorNames(workspaceId, [
      ...[...rows.values()].map(({ changedBy }) => changedBy),
      ...[...fold.requests.values()].flatMap(listAuthors),
    ]),
    listNumbers(workspaceId),
  ]);
  const graphs = [...Map.groupBy(numbers, ({ graphId }) => graphId).values()];

  return {
    isSet: fold.isSet,
    requests: [...fold.requests].flatMap(([id, request]) => {
      const { environment, version, base, by, atMs } = request;
      const found = numbers.find(({ hash }) => hash === version);

      return found
        ? [{ id, environment, version, base, atMs, ...found, byName: describeAsker(request, names), isOwn: by === user.id }]
        : [];
    }),
    environments: fold.list.map(({ id, title }) => {
      const row = rows.get(id);

      return {
        id,
        title,
        variables: row?.variables ?? {},
        digest: row ? computeVariablesDigest(row.variables) : null,
        changed: row ? { atMs: row.changedAt, byName: names[row.changedBy] ?? "a former member" } : null,
        live: graphs.flatMap((versions) => {
          const hashes = versions.map(({ hash }) => hash);
          const hash = findCurrent(fold, id, hashes);

          return versions.filter((version) => version.hash === hash);
        }),
      };
    }),
  };
});
