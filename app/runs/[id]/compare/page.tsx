import { notFound, redirect } from "next/navigation";
import { uuidSchema } from "@/lib/ids";

type Props = { readonly params: Promise<{ id: string }>; readonly searchParams: Promise<{ with?: string | string[] }> };

/** Redirects old comparison links. */
const CompareRoute = async ({ params, searchParams }: Props) => {
  const a = uuidSchema.safeParse((await params).id);
  const b = uuidSchema.safeParse((await searchParams).with);
  if (!a.success || !b.success) notFound();

  redirect(`/runs/${a.data}?compare=${b.data}`);
};

export default CompareRoute;
