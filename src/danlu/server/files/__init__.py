"""Files below a folder as answers: lists, contents, archives; of jobs and of volumes alike."""
