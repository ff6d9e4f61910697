/** Calls about flavors: named sizes, and which of them a job could get now. */
import { ALL, api, ask, askItems } from '../client';
import type { Outcome, Schemas } from '../types';

export type Flavor = Schemas['Flavor'];
export type JobClass = Flavor['classes'][number];
export type FlavorCreate = Schemas['FlavorCreate'];
export type FlavorEdit = Schemas['FlavorEdit'];
export type Offer = Schemas['FlavorOffer'];
export type FlavorProposal = Schemas['FlavorProposal'];
export type FlavorDeleted = Schemas['FlavorDeleted'];
export type FlavorRecommendation = Schemas['FlavorRecommendation'];

export const flavorKeys = {
  all: ['rules', 'flavors'] as const,
  offers: (query: OfferQuery) => ['rules', 'offers', query] as const,
  fit: (job: string) => ['fit', job] as const,
};

export interface OfferQuery {
  class: JobClass;
  project: string;
  /** On how many nodes. */
  count: number;
}

export const listFlavors = (signal?: AbortSignal): Promise<Flavor[]> => askItems(api.GET('/api/v1/flavors', { ...ALL, signal }));

/** Those that some node could hold. */
export const listOffers = (query: OfferQuery, signal?: AbortSignal): Promise<Offer[]> =>
  askItems(api.GET('/api/v1/flavors/offers', { params: { query }, signal }));

/** Those that would have been enough for a job's earlier runs, the best first. */
export const recommendFlavors = (job: string, signal?: AbortSignal): Promise<FlavorRecommendation> =>
  ask(api.GET('/api/v1/flavors/recommend', { params: { query: { job } }, signal }));

export const createFlavor = (body: FlavorCreate): Promise<Flavor> => ask(api.POST('/api/v1/flavors', { body }));

export const editFlavor = (name: string, body: FlavorEdit): Promise<Flavor> =>
  ask(api.PATCH('/api/v1/flavors/{name}', { params: { path: { name } }, body }));

/** What is left out stays. */
export const editFlavors = (names: string[], change: { classes?: JobClass[]; description?: string }): Promise<Outcome[]> =>
  askItems(api.PATCH('/api/v1/flavors', { body: { names, ...change } }));

/** A preview says what still uses them; nothing goes. */
export const deleteFlavors = (names: string[], preview: boolean): Promise<FlavorDeleted[]> =>
  askItems(api.POST('/api/v1/flavors/delete', { body: { names, preview } }));

/** The flavors that divide a node evenly; none is made. */
export const proposeFlavors = (node: string): Promise<FlavorProposal[]> =>
  askItems(api.POST('/api/v1/flavors/generate', { body: { node, preview: true } }));
