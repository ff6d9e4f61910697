"""The store of datasets: every content once, under its SHA-256.

datasets/objects/ab/<rest>    a content of more than 32 KiB
datasets/packs/<name>.pack    smaller ones, one after the other; <name>.idx says where each is
datasets/known/<name>         what a folder was like at its last snapshot
datasets/trees/<root>/        a version as jobs mount it
datasets/drafts/<session>/    what is on its way; removed by the collector once nobody is at work"""
