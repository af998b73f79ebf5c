"use client";

import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { AddBundle } from "./add-bundle";
import { BundleView } from "./bundle-view";
import { KeptBundles } from "./saved-bundles";

export const ImportPage = ({ userId }: { readonly userId: string }) => {
  const [bundle, setBundle] = useQueryState("bundle", parseAsString.withOptions({ history: "push" }));
  if (bundle !== null) return <BundleView key={bundle} userId={userId} id={bundle} />;

  return (
    <>
      <PageHeader
        title="Bundles"
        description="Runs imported from files. They are verified and stored in this browser, and never sent to the server."
        above={
          <Link href="/runs" className="hover:text-ink hover:underline">
            Runs
          </Link>
        }
      />
      <div className="flex flex-col gap-4 overflow-y-auto p-6">
        <AddBundle userId={userId} onAdded={({ id }) => void setBundle(id)} />
        <Panel title="Saved in this browser">
          <KeptBundles userId={userId} />
        </Panel>
      </div>
    </>
  );
};
