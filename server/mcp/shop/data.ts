/** Stock is the catalogue minus reservations. */
import { z } from "zod";
import type { JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { DEMO_ORDERS, DEMO_PRODUCTS, type DemoOrder, type DemoProduct } from "@/server/seed/order-desk/shop";

const lineSchema = z.strictObject({ sku: z.string(), quantity: z.number().int() });
const centsSchema = z.number().int();

export const shopSchema = z.strictObject({
  reservations: z.array(
    z.strictObject({
      reservation_id: z.string(),
      order_id: z.string(),
      status: z.enum(["reserved", "released"]),
      lines: z.array(lineSchema),
    }),
  ),
  charges: z.array(
    z.strictObject({ charge_id: z.string(), order_id: z.string(), status: z.enum(["charged", "refunded"]), amount_cents: centsSchema }),
  ),
  /** Of long-paid orders. */
  refunds: z
    .array(z.strictObject({ refund_id: z.string(), order_id: z.string(), amount_cents: centsSchema, reason: z.string() }))
    .default([]),
});
export type Shop = z.infer<typeof shopSchema>;

export const NEW_SHOP: Shop = { reservations: [], charges: [], refunds: [] };

export const SHOP_FAULTS = {
  key_missing: "A change needs an idempotency key.",
  key_reused: "The idempotency key was used for another change.",
  order_unknown: "There is no such order.",
  product_unknown: "There is no such product.",
  out_of_stock: "There is not enough left of one of the products.",
  reservation_unknown: "There is no such reservation.",
  amount_differs: "The amount is not the order's.",
  card_declined: "The bank declined the card.",
  charge_unknown: "There is no such charge.",
  refund_too_large: "The order did not cost that much, less what was paid back before.",
} as const;
export type ShopFault = keyof typeof SHOP_FAULTS;

type Changed = Result<{ readonly data: Shop; readonly result: JsonObject }, ShopFault>;

const orderNamed = (id: string): DemoOrder | undefined => DEMO_ORDERS.find((order) => order.order_id === id);

const productNamed = (sku: string): DemoProduct | undefined => (Object.hasOwn(DEMO_PRODUCTS, sku) ? DEMO_PRODUCTS[sku] : undefined);

const onHand = (shop: Shop, sku: string, product: DemoProduct): number =>
  shop.reservations
    .filter(({ status }) => status === "reserved")
    .flatMap(({ lines }) => lines)
    .filter((line) => line.sku === sku)
    .reduce((left, { quantity }) => left - quantity, product.on_hand);

export const orderOf = (id: string): Result<JsonObject, ShopFault> => {
  const order = orderNamed(id);
  if (!order) return err("order_unknown");
  // Declines are not readable beforehand.
  const { declines: _declines, ...card } = order.card;
  const { about: _about, ...record } = order;

  return ok({
    ...record,
    customer: { ...order.customer },
    lines: order.lines.map((line) => ({ ...line })),
    ship_to: { ...order.ship_to },
    card,
  });
};

export const stockOf = (shop: Shop, sku: string, quantity: number): Result<JsonObject, ShopFault> => {
  const product = productNamed(sku);
  if (!product) return err("product_unknown");
  const left = onHand(shop, sku, product);

  return ok({ sku, title: product.title, quantity, on_hand: left, available: left >= quantity, line_cents: product.unit_cents * quantity });
};

export const reserve = (shop: Shop, id: string, orderId: string): Changed => {
  const order = orderNamed(orderId);
  if (!order) return err("order_unknown");
  const short = order.lines.some(({ sku, quantity }) => {
    const product = productNamed(sku);

    return !product || onHand(shop, sku, product) < quantity;
  });
  if (short) return err("out_of_stock");
  const reservation = { reservation_id: `rsv_${id}`, order_id: orderId, status: "reserved" as const };
  const lines = order.lines.map((line) => ({ ...line }));

  return ok({ data: { ...shop, reservations: [...shop.reservations, { ...reservation, lines }] }, result: reservation });
};

/** Idempotent. */
export const release = (shop: Shop, id: string): Changed => {
  const found = shop.reservations.find(({ reservation_id: known }) => known === id);
  if (!found) return err("reservation_unknown");
  const reservations = shop.reservations.map((one) => (one === found ? { ...one, status: "released" as const } : one));

  return ok({ data: { ...shop, reservations }, result: { reservation_id: id, order_id: found.order_id, status: "released" } });
};

export const charge = (shop: Shop, id: string, orderId: string, amountCents: number): Changed => {
  const order = orderNamed(orderId);
  if (!order) return err("order_unknown");
  if (amountCents !== order.total_cents) return err("amount_differs");
  if (order.card.declines) return err("card_declined");
  const made = { charge_id: `chg_${id}`, order_id: orderId, status: "charged" as const, amount_cents: amountCents };

  return ok({ data: { ...shop, charges: [...shop.charges, made] }, result: { ...made } });
};

export const refund = (shop: Shop, id: string): Changed => {
  const found = shop.charges.find(({ charge_id: known }) => known === id);
  if (!found) return err("charge_unknown");
  const charges = shop.charges.map((one) => (one === found ? { ...one, status: "refunded" as const } : one));

  return ok({ data: { ...shop, charges }, result: { charge_id: id, order_id: found.order_id, status: "refunded" } });
};

/** Refunds at most the order's cost. */
export const refundOrder = (shop: Shop, id: string, orderId: string, amountCents: number, reason: string): Changed => {
  const order = orderNamed(orderId);
  if (!order) return err("order_unknown");
  const before = shop.refunds.filter((one) => one.order_id === orderId).reduce((sum, one) => sum + one.amount_cents, 0);
  if (before + amountCents > order.total_cents) return err("refund_too_large");
  const made = { refund_id: `rfd_${id}`, order_id: orderId, amount_cents: amountCents };

  return ok({ data: { ...shop, refunds: [...shop.refunds, { ...made, reason }] }, result: { ...made, status: "paid" } });
};
