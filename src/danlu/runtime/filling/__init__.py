"""Datasets and buckets in a pod: fetched from Danlu into its own folders before the task begins.

manifest ──▶ kept in a file ──▶ batches ──▶ a few at a time: asked for, written, compared ──▶ links ──▶ done
"""
