import { QueryClient, QueryClientProvider, skipToken, useQuery } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ErrorCode } from "@/lib/errors";
import { QueryState } from "./query-state";

const KEY = ["fruit"];

const failure = (code: ErrorCode): Error =>
  TRPCClientError.from({
    error: { code: -32_603, message: `The server said ${code}.`, data: { code, refusal: null, requestId: "r-1", issues: [] } },
  });

const Fruit = ({ hasMissing }: { readonly hasMissing: boolean }) => {
  const query = useQuery<string>({ queryKey: KEY, queryFn: skipToken, retryOnMount: false });

  return (
    <QueryState
      query={query}
      what="fruit"
      missing={hasMissing ? <i>No such fruit</i> : undefined}
      renderFrame={(state) => <section>{state}</section>}
    >
      {(name) => <b>{name}</b>}
    </QueryState>
  );
};

type Answers = { readonly earlier?: string; readonly error?: ErrorCode; readonly hasMissing?: boolean };

const shown = async ({ earlier, error, hasMissing = false }: Answers): Promise<string> => {
  const client = new QueryClient();
  if (earlier !== undefined) client.setQueryData(KEY, earlier);
  if (error) await client.prefetchQuery({ queryKey: KEY, queryFn: () => Promise.reject(failure(error)), retry: false });

  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Fruit hasMissing={hasMissing} />
    </QueryClientProvider>,
  );
};

test("shows the data without the frame", async () => {
  expect(await shown({ earlier: "quince" })).toBe("<b>quince</b>");
});

test("frames a placeholder while it loads", async () => {
  const html = await shown({});

  expect(html).toMatch(/^<section>/u);
  expect(html).not.toContain("Couldn&#x27;t load");
});

test("frames a failure with its request and a retry", async () => {
  const html = await shown({ error: "internal" });

  expect(html).toMatch(/^<section><div role="alert"/u);
  for (const text of ["Couldn&#x27;t load fruit", "The server said internal.", "Request r-1", "Try again"]) expect(html).toContain(text);
});

test("keeps its data when a refetch fails", async () => {
  expect(await shown({ earlier: "quince", error: "internal" })).toBe("<b>quince</b>");
});

test("hides its data once the reader may not see it any more", async () => {
  const html = await shown({ earlier: "quince", error: "forbidden" });

  expect(html).toContain("The server said forbidden.");
  expect(html).not.toContain("quince");
  expect(html).not.toContain("Try again");
});

test.each(["not_found", "bad_request"] as const)("tells a missing record from a failure: %s", async (error) => {
  expect(await shown({ error, hasMissing: true })).toBe("<section><i>No such fruit</i></section>");
  expect(await shown({ error })).toContain("Couldn&#x27;t load fruit");
});
