"""The verbs of the client, a module for each capability."""
