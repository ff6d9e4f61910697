/** Calls about flavors: named sizes, and which of them a job could get now. */
import { api, ask } from './client';
import type {
  Flavor,
  FlavorCreate,
  FlavorDeleted,
  FlavorEdit,
  FlavorProposal,
  FlavorRecommendation,
  JobClass,
  Offer,
  Outcome,
} from './types';

export interface OfferQuery {
  class: JobClass;
  project: string;
  /** On how many nodes. */
  count: number;
}

/** Those that some node could hold. */
export const listOffers = async (query: OfferQuery, signal?: AbortSignal): Promise<Offer[]> => {
  const { items } = await ask(api.GET('/api/v1/flavors/offers', { params: { query }, signal }));
  return items;
};

/** Those that would have been enough for a job's earlier runs, the best first. */
export const recommendFlavors = (job: string, signal?: AbortSignal): Promise<FlavorRecommendation> =>
  ask(api.GET('/api/v1/flavors/recommend', { params: { query: { job } }, signal }));

export const createFlavor = (body: FlavorCreate): Promise<Flavor> => ask(api.POST('/api/v1/flavors', { body }));

export const editFlavor = (name: string, body: FlavorEdit): Promise<Flavor> =>
  ask(api.PATCH('/api/v1/flavors/{name}', { params: { path: { name } }, body }));

/** What is left out stays. */
export const editFlavors = async (names: string[], change: { classes?: JobClass[]; description?: string }): Promise<Outcome[]> => {
  const { items } = await ask(api.PATCH('/api/v1/flavors', { body: { names, ...change } }));
  return items;
};

/** A preview says what still uses them; nothing goes. */
export const deleteFlavors = async (names: string[], preview: boolean): Promise<FlavorDeleted[]> => {
  const { items } = await ask(api.POST('/api/v1/flavors/delete', { body: { names, preview } }));
  return items;
};

/** The flavors that divide a node evenly; none is made. */
export const proposeFlavors = async (node: string): Promise<FlavorProposal[]> => {
  const { items } = await ask(api.POST('/api/v1/flavors/generate', { body: { node, preview: true } }));
  return items;
};
