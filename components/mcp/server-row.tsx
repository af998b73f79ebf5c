import Link from "next/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Mark } from "@/components/ui/marks/mark";
import { TableCell, TableRow } from "@/components/ui/table";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { ServerStatus } from "./server-status";
import { describeTransport } from "./transport-text";

export const ServerRow = ({ server }: { readonly server: ServerView }) => {
  const drifted = server.tools.filter(({ drift }) => drift !== null).length;

  return (
    <TableRow>
      <TableCell>
        <Link href={`/admin/mcp/${server.id}`} className="font-medium hover:underline">
          {server.name}
        </Link>
        <span className="ml-2 font-mono text-xs text-muted">{server.id}</span>
      </TableCell>
      <TableCell>
        <ServerStatus status={server.status} />
      </TableCell>
      <TableCell className="max-w-80 truncate font-mono text-xs" title={describeTransport(server.transport)}>
        {server.transport ? describeTransport(server.transport) : <Mark kind="refused">Invalid</Mark>}
      </TableCell>
      <TableCell numeric>
        {server.tools.length}
        {drifted > 0 ? (
          <Mark kind="tainted" bare className="ml-2">
            {drifted} drifted
          </Mark>
        ) : null}
      </TableCell>
      <TableCell className="max-w-48 truncate">{server.allowedAgents.length === 0 ? "none" : server.allowedAgents.join(", ")}</TableCell>
      <TableCell className="font-mono text-xs">{server.protocol ?? "–"}</TableCell>
      <TableCell className="whitespace-nowrap text-muted">
        <RelativeTime at={server.updatedAt} />
      </TableCell>
    </TableRow>
  );
};
