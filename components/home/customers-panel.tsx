"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { formatMoney } from "@/lib/format";

const MICRO_PER_CENT = 10_000;
const REFRESH_MS = 5_000;

export const CustomersPanel = () => {
  const query = useQuery({ ...useTRPC().home.customers.queryOptions(), refetchInterval: REFRESH_MS });

  return (
    <Panel title="Customer table">
      <QueryState query={query}>
        {(customers) =>
          customers.length === 0 ? (
            <EmptyState kind="nothing_yet" title="No customers yet" className="py-8">
              The customer server fills its table when it starts.
            </EmptyState>
          ) : (
            <Table aria-label="Customers">
              <TableHead>
                <TableRow>
                  <TableHeader>Customer</TableHeader>
                  <TableHeader>Plan</TableHeader>
                  <TableHeader numeric>Credit</TableHeader>
                  <TableHeader>Admin</TableHeader>
                  <TableHeader numeric>Changes</TableHeader>
                </TableRow>
              </TableHead>
              <TableBody>
                {customers.map(({ id, plan, creditCents, isAdmin, changes }) => (
                  <TableRow key={id}>
                    <TableCell className="font-mono text-xs">{id}</TableCell>
                    <TableCell>{plan}</TableCell>
                    <TableCell numeric>{formatMoney(creditCents * MICRO_PER_CENT)}</TableCell>
                    <TableCell>{isAdmin ? "yes" : "no"}</TableCell>
                    <TableCell numeric>{changes}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          )
        }
      </QueryState>
      <p className="border-t px-3 py-2 text-xs text-muted">
        Its server refuses each write without a receipt for exactly these arguments. Names and addresses are left out.
      </p>
    </Panel>
  );
};
